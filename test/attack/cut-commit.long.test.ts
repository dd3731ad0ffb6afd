import { cutCommits } from './cut-commits.ts'

// The server says INSERT in 16 bytes, COMMIT in 12, and that it is ready in 6.
await cutCommits(['before', 0, 16, 27, 28, 33], ['before', 0, 11, 12, 17])
