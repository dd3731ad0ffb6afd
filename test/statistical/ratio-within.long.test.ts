import { checkRatios } from '../support/check-ratios.ts'
import { ratioCases } from '../support/ratio-coverage.ts'

checkRatios(ratioCases.slice(1))
