import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

const body = ['style.css', 'style-public.css']
  .map((file) => readFileSync(new URL(file, import.meta.url), 'utf8'))
  .join('\n')
const hash = createHash('sha256').update(body).digest('base64url').slice(0, 16)

/** The stylesheet of every page. Its path names its content, so it may be cached for ever. */
export const stylesheet = { path: `/pages/style-${hash}.css`, type: 'text/css; charset=utf-8', body, etag: `"${hash}"` }
