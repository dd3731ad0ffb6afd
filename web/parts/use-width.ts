import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The width of an element, as it changes; 0 before it is on the screen. */
export function useWidth<T extends HTMLElement>() {
  const element = useRef<T>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const watched = element.current
    if (!watched) return
    setWidth(Math.floor(watched.clientWidth))
    const observer = new ResizeObserver(() => setWidth(Math.floor(watched.clientWidth)))
    observer.observe(watched)
    return () => observer.disconnect()
  }, [])
  return { element, width }
}
