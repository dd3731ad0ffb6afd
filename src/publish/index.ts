export { type Folder, openFolder } from './folder.ts'
export { type Format, publish } from './publish.ts'
export type { Summary } from './summary.ts'
