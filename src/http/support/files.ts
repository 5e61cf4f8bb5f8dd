import { Type } from 'typebox'

/** A file of a multipart body, kept in a temporary folder until the answer is sent. */
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

/** The kinds of body that a route takes which may, but need not, be given a file. */
export const BODIES_WITH_FILES = ['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data']

/** The schema of a parameter that takes a file. */
export const File = Type.Unsafe<UploadedFile>({ type: 'string', format: 'binary', 'x-file': true })
