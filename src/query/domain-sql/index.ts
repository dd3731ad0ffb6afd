export { digitsBelowEdge, digitsOf, mostPoints, numericLiteral, numericType, pointsOf, quoteText } from './domain.ts'
export { columnOf, type DomainTable, evaluateOnDomain } from './evaluate.ts'
