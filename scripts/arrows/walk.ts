/** A node of the syntax tree, as far as the rules need to know it. */
export interface Node {
  type: string
  start: number
  [key: string]: unknown
}

/** Calls `visit` with each node below `root`, its ancestors (nearest first) and the field of the nearest that holds it. */
export function walk(
  root: Node,
  visit: (node: Node, parents: Node[], key: string) => void,
  parents: Node[] = [],
): void {
  const below = [root, ...parents.slice(0, 2)]
  for (const [key, value] of Object.entries(root))
    for (const child of Array.isArray(value) ? value : [value])
      if (typeof child === 'object' && child !== null && typeof child.type === 'string') {
        visit(child, below, key)
        walk(child, visit, below)
      }
}
