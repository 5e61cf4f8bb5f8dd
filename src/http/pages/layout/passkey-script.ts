import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { raw } from '../../../lib/html/html.ts'

const body = readFileSync(new URL('passkeys.js', import.meta.url), 'utf8')
const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16)

const path = `/pages/passkeys-${hash}.js`

/** The script of pages with passkeys. Its path contains a hash of its content, so caches may keep it for ever. */
export const passkeyScript = {
  path,
  /** The element that loads it. */
  element: raw(`<script type="module" src="${path}"></script>`),
  type: 'text/javascript; charset=utf-8',
  body,
  etag: `"${hash}"`,
}
