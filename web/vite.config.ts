import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'

const web = fileURLToPath(new URL('.', import.meta.url))

/**
 * Plot puts a style element into every chart, which the page's content security policy forbids. What it says is in
 * styles/chart.css instead.
 */
const plotWithoutStyles: Plugin = {
  name: 'plot-without-styles',
  transform(code, id) {
    if (!id.includes('@observablehq/plot/src/plot.js')) return
    const without = code.replace(
      /\.call\(\(svg\) =>\s*\/\/ Warning[^\n]*\n\s*svg\.append\("style"\)[\s\S]*?`\s*\)\s*\)/,
      '',
    )
    if (without === code) this.error('Plot has changed: its style element was not found')
    return { code: without, map: null }
  },
}

/** The page, built into dist/web: relative addresses, so that it may stand below any path. */
export default defineConfig({
  root: web,
  base: './',
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [plotWithoutStyles],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    target: 'es2022',
  },
})
