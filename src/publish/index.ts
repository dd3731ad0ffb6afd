export { type Folder, openFolder } from './folder.ts'
export {
  confidence,
  type Expected,
  type MeasuredTable,
  type Publication,
  type PublishedRecords,
  type PublishedTable,
} from './publication.ts'
export { type Format, publish } from './publish.ts'
export type { Summary } from './summary.ts'
