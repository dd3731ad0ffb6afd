import fc from 'fast-check'

// The same cases on every run, so that a failure is somebody's change and not the day's luck. To look further:
// SEED=$RANDOM npm test
fc.configureGlobal({ seed: Number(process.env.SEED ?? 20261116) })
