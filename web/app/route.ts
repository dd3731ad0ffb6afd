import { useEffect, useState } from 'preact/hooks'

/** The pages, in the order of the menu. */
export const pages = { ask: 'Ask', history: 'History', publish: 'Publish', budget: 'Budget', data: 'Data' } as const
export type PageName = keyof typeof pages

/** Where one is: #/ask?q=…&within=150. */
export interface Route {
  readonly page: PageName
  readonly parameters: { readonly [name: string]: string }
}

/** Reads the part of an address after #; what is no page is the first one. */
export function routeOf(hash: string): Route {
  const [path = '', query = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s)
  const page = Object.hasOwn(pages, path) ? (path as PageName) : 'ask'
  return { page, parameters: Object.fromEntries(new URLSearchParams(query)) }
}

/** The part of an address after #; what is undefined is left out. */
export function hashOf(page: PageName, parameters: { readonly [name: string]: string | undefined } = {}): string {
  const given = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== undefined)
  const query = new URLSearchParams(given).toString()
  return `#/${page}${query && `?${query}`}`
}

/** The question that was last on the page, so that one can come back to it. */
let lastQuestion = ''

/** Where the menu leads: to a page; to Ask with the question that was there. */
export function menuHash(page: PageName, place: { readonly dataset?: string }): string {
  const isHere = routeOf(lastQuestion).parameters.dataset === place.dataset
  return page === 'ask' && lastQuestion !== '' && isHere ? lastQuestion : hashOf(page, place)
}

/** Changes the address without a new entry in the browser's history: while somebody types. */
export function replaceHash(hash: string): void {
  lastQuestion = hash
  if (hash !== location.hash) history.replaceState(null, '', hash)
}

/** The route, as it changes. */
export function useRoute(): Route {
  const [route, setRoute] = useState(() => routeOf(location.hash))
  useEffect(() => {
    const follow = () => setRoute(routeOf(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  return route
}
