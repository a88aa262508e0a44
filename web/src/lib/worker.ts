// The service worker lets the dashboard be installed and open at once. It caches the
// program's own files, and nothing of any session.

interface Policy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): Policy;
}

const script = '/ui/sw.js';

/** installWorker registers the worker if the browser supports one. */
export function installWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  const policy = types?.createPolicy('app-worker', {
    createScriptURL: (url) => {
      if (url !== script) throw new TypeError('not our service worker');
      return url;
    },
  });
  navigator.serviceWorker.register(policy?.createScriptURL(script) ?? script).catch(() => {
    // The dashboard works without it, but needs the server to start.
  });
}
