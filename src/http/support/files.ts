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

/** The schema of a parameter that takes a file. */
export const File = Type.Unsafe<UploadedFile>({ type: 'string', format: 'binary', 'x-file': true })
