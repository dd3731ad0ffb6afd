import { spawn } from 'node:child_process'

/** How each system opens an address in the usual browser. */
const openers: { readonly [platform: string]: readonly [string, ...string[]] } = {
  darwin: ['open'],
  win32: ['cmd', '/c', 'start', ''],
}

/** Opens the page where somebody sits in front of a display; anything that goes wrong is no matter. */
export function openBrowser(url: string): void {
  const hasDisplay = process.platform in openers || process.env.DISPLAY || process.env.WAYLAND_DISPLAY
  if (!process.stdout.isTTY || !hasDisplay) return
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  spawn(command, [...args, url], { stdio: 'ignore', detached: true })
    .on('error', () => {})
    .unref()
}
