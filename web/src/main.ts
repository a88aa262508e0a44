import './lib/bykeys';
import { mount } from 'svelte';
import App from './App.svelte';
import './tokens.css';
import './base.css';
import { keepDirection } from './lib/direction';
import { follow } from './lib/router.svelte';
import { listen } from './lib/keys.svelte';
import { show } from './lib/theme.svelte';
import { showSize } from './lib/size.svelte';
import { installWorker } from './lib/worker';

keepDirection(document);
show();
showSize();
follow();
listen();
mount(App, { target: document.getElementById('app') as HTMLElement });
installWorker();
