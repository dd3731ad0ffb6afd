import { Type } from 'typebox'
import { Failure } from '../api/index.ts'

/** The addresses below which everything about one data set is. */
export const datasetPath = '/api/datasets/:dataset'
export const DatasetParams = Type.Object({ dataset: Type.String({ maxLength: 200 }) })
export const JobParams = Type.Object({ ...DatasetParams.properties, id: Type.String({ pattern: '^[0-9a-f]{12}$' }) })

/** A route's answers in the description for programs. */
export const responses = (status: 200 | 201 | 202, body: object) => ({
  [status]: { description: 'Success', ...body },
  '4xx': { ...Failure, description: 'Refused; nothing was spent unless `paid` says so.' },
})
