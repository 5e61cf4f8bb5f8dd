import { BadGateway } from '../../../lib/errors.ts'

/** 502: the other server gave something that no reader may get. It will hardly be another thing tomorrow. */
export class NoMedia extends BadGateway {
  constructor(cause: unknown) {
    super()
    this.cause = cause
  }
}

/** 502: the other server did not answer lately, and was not even asked. */
export class HostRests extends BadGateway {}
