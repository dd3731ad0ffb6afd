import { furtherStatements } from './ordinary-statements.ts'
import { describeStatements } from './statement-suite.ts'

describeStatements('further statements', furtherStatements)
