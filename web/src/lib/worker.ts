// The service worker lets the dashboard be installed, and open at once. It keeps
// the program's own files and nothing that a session says.

interface Policy {
  createScriptURL(url: string): string;
}
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL: (url: string) => string }): Policy;
}

const script = '/ui/sw.js';

/** installWorker registers it where browsers allow one. */
export function installWorker(): void {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
  const types = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes;
  const policy = types?.createPolicy('app-worker', {
    createScriptURL: (url) => {
      if (url !== script) throw new TypeError('no worker of ours');
      return url;
    },
  });
  navigator.serviceWorker.register(policy?.createScriptURL(script) ?? script).catch(() => {
    // Without it everything works, only not before the server answers.
  });
}
