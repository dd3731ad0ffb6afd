export {
  confidence,
  type Expected,
  type MeasuredTable,
  type Publication,
  type PublishedRecords,
  type PublishedTable,
} from './publication.ts'
