import { BadRequest } from '../../lib/errors.ts'

/** Thrown for what came from elsewhere and can't be taken for what it should be. The text says why, for logs. */
export class Unreadable extends BadRequest {}
