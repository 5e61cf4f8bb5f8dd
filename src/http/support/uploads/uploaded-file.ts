import { Type } from 'typebox'

/** A file of a multipart body, stored in a temporary folder until the response is sent. */
export class UploadedFile {
  readonly path: string
  readonly filename: string
  readonly byteSize: number

  constructor({ path, filename, byteSize }: { path: string; filename: string; byteSize: number }) {
    this.path = path
    this.filename = filename
    this.byteSize = byteSize
  }
}

/** The content types of routes with an optional file. */
export const BODY_TYPES_WITH_FILES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** The schema of a parameter that accepts a file. */
export const FileParam = Type.Unsafe<UploadedFile>({ type: 'string', format: 'binary', 'x-file': true })
