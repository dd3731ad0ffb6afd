export { type AuditOptions, audit, errorRate, type Finding } from './audit.ts'
export type { Mechanism } from './mechanism.ts'
export { auditPage } from './page.ts'
export { mechanismNamed, mechanisms } from './registry.ts'
