export type { Exact, ExactAnswers } from './exact.ts'
