export { FactoredModel } from './factored-model.ts'
export { readFactors } from './read-factors.ts'
