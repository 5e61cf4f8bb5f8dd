import { Readable } from 'node:stream'
import { PayloadTooLargeError } from '../../../lib/errors.ts'
import { MAX_FILES } from './uploads.ts'
import type { UploadPart } from './uploads.ts'
import { UploadedFile } from './uploaded-file.ts'

/** The parts of a JSON schema that say where a body takes files. */
interface BodySchema {
  'x-file'?: boolean
  properties?: Record<string, BodySchema>
  items?: BodySchema
}

interface FileSaving {
  schema: BodySchema | undefined
  save: (part: UploadPart) => Promise<UploadedFile>
}

/** As Mastodon accepts it; the type is not trusted, since files are recognised by their bytes. */
const DATA_URI = /^data:(?:[\w-]+\/[\w.+-]+)?;base64,/

/**
 * Replaces data URIs (RFC 2397) in the fields of a body that take files with files. Some clients send small images as
 * text in a form or as JSON, as Mastodon accepts them.
 * @throws PayloadTooLargeError if there are too many
 */
export async function saveDataUris(body: unknown, { schema, save }: FileSaving): Promise<unknown> {
  let count = 0
  const replace = async (value: unknown, part: BodySchema | undefined): Promise<unknown> => {
    if (typeof value === 'string' && part?.['x-file'] && DATA_URI.test(value)) {
      if ((count += 1) > MAX_FILES) throw new PayloadTooLargeError()
      return save(fileOf(value))
    }
    if (typeof value !== 'object' || value === null || value instanceof UploadedFile) return value
    if (!part || !takesFile(part)) return value
    const entries: [string, unknown][] = []
    for (const [name, inner] of Object.entries(value))
      entries.push([name, await replace(inner, part.items ?? part.properties?.[name])])
    return Array.isArray(value) ? entries.map(([, inner]) => inner) : Object.fromEntries(entries)
  }
  return replace(body, schema)
}

function takesFile({ 'x-file': isFile = false, properties = {}, items }: BodySchema): boolean {
  return isFile || [...Object.values(properties), ...(items ? [items] : [])].some(takesFile)
}

function fileOf(dataUri: string): UploadPart {
  const bytes = Buffer.from(dataUri.slice(dataUri.indexOf(',') + 1), 'base64')
  return { file: Object.assign(Readable.from([bytes]), { bytesRead: bytes.length }), filename: '' }
}
