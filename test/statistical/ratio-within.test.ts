import { checkRatios } from '../support/check-ratios.ts'
import { ratioCases } from '../support/ratio-coverage.ts'

// The long tests take the others.
checkRatios(ratioCases.slice(0, 1))
