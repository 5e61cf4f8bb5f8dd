import { ACTIVITY_STREAMS } from '../wire/context.ts'

/** Whether a content type is that of a document. Anything else may be a file that somebody uploaded. */
export function isDocumentType(header: string): boolean {
  const [type = '', ...params] = header.split(';').map((part) => part.trim())
  if (type.toLowerCase() === 'application/activity+json') return true
  if (type.toLowerCase() !== 'application/ld+json') return false
  return params.some((param) => {
    const [, profiles = ''] = /^profile="?([^"]*)"?$/i.exec(param) ?? []
    return profiles.split(/\s+/).includes(ACTIVITY_STREAMS)
  })
}
