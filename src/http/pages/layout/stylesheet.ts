import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const body = ['tokens.css', 'style.css', 'style-public.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')
const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16)

/** The stylesheet of all pages. Its path contains a hash of its content, so caches may keep it for ever. */
export const stylesheet = { path: `/pages/style-${hash}.css`, type: 'text/css; charset=utf-8', body, etag: `"${hash}"` }
