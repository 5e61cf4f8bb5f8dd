import { BadRequestError } from '../../lib/errors.ts'

/** 400: a remote document or activity is not what it should be. The message says why, for logs. */
export class InvalidDocumentError extends BadRequestError {}
