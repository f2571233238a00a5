// Tests of this layer follow.
