import { render } from 'preact'
import { App } from './app/app.tsx'

render(<App />, document.getElementById('page')!)
