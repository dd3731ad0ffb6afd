export { addToken, listTokens, revokeToken } from './access/tokens.ts'
export { jsonLog } from './log.ts'
export { type RunningServer, serve } from './serve.ts'
