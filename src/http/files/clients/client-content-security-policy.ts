import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Parser } from 'htmlparser2'
import type { Config } from '../../../platform/config/config.ts'
import { STORAGE_URL_PREFIX } from '../../../platform/storage/storage.ts'
import { PROXY_URL_PREFIX } from '../../../render/media/proxied-url.ts'
import { paths } from '../../pages/paths.ts'

/**
 * What a client may request by script: no pages, since these contain the CSRF tokens of the session. None of these
 * paths redirects to a page, because a redirect may lead to any path of the server (CSP 3 §6.7.2.7).
 */
const API_PATHS = [
  '/api/',
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/userinfo',
  '/nodeinfo/',
  ...['oauth-authorization-server', 'nodeinfo', 'webfinger', 'host-meta', 'host-meta.json'].map(
    (name) => `/.well-known/${name}`,
  ),
]

/**
 * Returns the content security policy of the files of a third-party client. The client has the origin of the server,
 * so the policy limits it to its own files, the API, and media. `scriptHashes`: the inline scripts of an HTML file.
 */
export function clientContentSecurityPolicy(
  { origin, streamingUrl, filesUrl }: Pick<Config, 'origin' | 'streamingUrl' | 'filesUrl'>,
  { name, scriptHashes }: { name: string; scriptHashes: readonly string[] },
): string {
  const files = `${origin}${paths.clients}/${encodeURIComponent(name)}/`
  const connections = [
    files,
    ...API_PATHS.map((path) => origin + path),
    `${streamingUrl}/api/`,
    `${origin}${STORAGE_URL_PREFIX}`,
    `${origin}${PROXY_URL_PREFIX}/`,
    filesUrl,
    'data:',
    'blob:',
  ]
  return [
    "default-src 'none'",
    `script-src ${[files, "'wasm-unsafe-eval'", ...scriptHashes].join(' ')}`,
    `style-src ${files} 'unsafe-inline'`,
    `font-src ${files} data:`,
    "img-src 'self' https: data: blob:",
    "media-src 'self' https: data: blob:",
    `connect-src ${[...new Set(connections)].join(' ')}`,
    `worker-src ${files} blob:`,
    `manifest-src ${files}`,
    "base-uri 'self'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}

/** Returns the sources that permit the inline scripts of an HTML file (CSP 3 §2.3.1). */
export async function hashInlineScripts(file: string): Promise<string[]> {
  const hashes: string[] = []
  let script: string | null = null
  const parser = new Parser({
    onopentag(name, attributes) {
      if (name === 'script' && attributes['src'] === undefined) script = ''
    },
    ontext(text) {
      if (script !== null) script += text
    },
    onclosetag() {
      if (script !== null) hashes.push(`'sha256-${createHash('sha256').update(script).digest('base64')}'`)
      script = null
    },
  })
  // Browsers normalise the ends of lines before they hash a script.
  parser.end((await readFile(file, 'utf8')).replaceAll(/\r\n?/g, '\n'))
  return hashes
}
