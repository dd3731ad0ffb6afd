export { type NoisePaths, openPaths, type Revealed } from './paths.ts'
export { refine } from './refine.ts'
export { upward } from './scales.ts'
