import { cutCommits } from './cut-commits.ts'

// Where the server does not have it, and where it has it and nobody is told.
await cutCommits(['before', 16], ['before', 11])
