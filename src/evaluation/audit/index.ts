export { audit, errorRate, type Finding } from './audit.ts'
export { auditPage } from './page.ts'
export { mechanismNamed, mechanisms } from './registry.ts'
export { verdictWord } from './verdict.ts'
