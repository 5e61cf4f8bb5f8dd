import { BadGateway } from '../../../lib/errors.ts'

/** 502: the other server gave something that no reader may get. It will hardly be another thing tomorrow. */
export class NoMedia extends BadGateway {
  constructor(cause: unknown) {
    super()
    this.cause = cause
  }
}

/** 502: the other server did not answer lately, or gave as much as it may in this hour. Nothing is remembered of it. */
export class HostRests extends BadGateway {}
