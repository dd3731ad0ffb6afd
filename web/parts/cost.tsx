import { costText } from './number.ts'

/** A privacy cost: "free", or its ε in small type. */
export function Price({ epsilon }: { readonly epsilon: number }) {
  if (epsilon === 0) return <span class="is-free">free</span>
  return (
    <span class="nowrap" title={`ε = ${epsilon}`}>
      <span class="small soft">ε</span> {costText(epsilon)}
    </span>
  )
}
