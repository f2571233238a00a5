import CoreData

/// The list of published posts, as a table view would show it.
final class PostListController: NSObject, NSFetchedResultsControllerDelegate {
    private let fetchedResultsController: NSFetchedResultsController<Post>
    private(set) var log: [String] = []

    init(context: NSManagedObjectContext) {
        let request: NSFetchRequest<Post> = Post.fetchRequest()
        request.predicate = NSPredicate(format: "%K == NO", #"isDraft"#)
        request.sortDescriptors = [
            NSSortDescriptor(key: "author.name", ascending: true),
            NSSortDescriptor(keyPath: \Post.title, ascending: true),
        ]
        request.fetchBatchSize = 20
        fetchedResultsController = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "author.name", cacheName: nil)
        super.init()
        fetchedResultsController.delegate = self
        do {
            try fetchedResultsController.performFetch()
        } catch {
            fatalError("Failed to fetch entities: \(error)")
        }
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.append("begin")
    }

    func controller(_ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange sectionInfo: NSFetchedResultsSectionInfo, atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType) {
        switch type {
        case .insert: log.append("insert section \(sectionInfo.name)")
        case .delete: log.append("delete section \(sectionInfo.name)")
        default: break
        }
    }

    func controller(_ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?) {
        switch type {
        case .insert: log.append("insert row \(newIndexPath!.section).\(newIndexPath!.row)")
        case .delete: log.append("delete row \(indexPath!.section).\(indexPath!.row)")
        case .update: log.append("reload row \(indexPath!.section).\(indexPath!.row)")
        case .move: log.append("move row \(indexPath!.row) to \(newIndexPath!.row)")
        @unknown default: break
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        log.append("end")
    }

    func printTable() {
        print("log: \(log.joined(separator: ", "))")
        log.removeAll()
        for (index, section) in (fetchedResultsController.sections ?? []).enumerated() {
            print("[\(section.indexTitle ?? "-")] \(section.name)")
            for row in 0..<section.numberOfObjects {
                let post = fetchedResultsController.object(at: IndexPath(row: row, section: index))
                print("  \(post.title ?? "") (\(post.likes))")
            }
        }
    }
}
