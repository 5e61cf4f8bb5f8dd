import { ACTIVITY_STREAMS } from '../../wire/context.ts'

/** Returns whether a content type is that of an ActivityPub document. Any other response may be an uploaded file. */
export function isDocumentType(header: string): boolean {
  const [type = '', ...params] = header.split(';').map((part) => part.trim())
  if (type.toLowerCase() === 'application/activity+json') return true
  if (type.toLowerCase() !== 'application/ld+json') return false
  return params.some((param) => {
    const [, profiles = ''] = /^profile="?([^"]*)"?$/i.exec(param) ?? []
    return profiles.split(/\s+/).includes(ACTIVITY_STREAMS)
  })
}
