/** What the charts use of Plot, by name, so that the rest of it is not in the bundle. */
export { areaY, barX, barY, cell, lineY, plot, pointerX, ruleX, ruleY, text, tip } from '@observablehq/plot'
