export { IssuedToken, Me, NewToken, type Role, Token } from './access.ts'
export {
  type AttributeShare,
  BudgetResponse,
  CheckResponse,
  History,
  ImproveRequest,
  ImproveResponse,
  LedgerExport,
  type SpendingStep,
  VerifyRequest,
  VerifyResponse,
} from './accounts.ts'
export { Failure } from './common.ts'
export {
  type AttributeSummary,
  AttributeValues,
  DatasetDescription,
  DatasetSummary,
  type ExampleQuestion,
} from './datasets.ts'
export { Job, type JobFile, JobPlan, JobRequest, type JobTable, JobTables } from './jobs.ts'
export {
  AskRequest,
  AskResponse,
  Curve,
  type CurvePoint,
  CurveRequest,
  PlanRequest,
  PlanResponse,
} from './questions.ts'
