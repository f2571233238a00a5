// This layer is built next.
