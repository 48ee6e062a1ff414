import { render } from 'preact';
import { App } from './app.js';
import { begin } from './session/session.js';

begin();
render(<App />, document.getElementById('page')!);
