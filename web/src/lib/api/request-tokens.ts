/** The access token of the request that an error comes from. */
const tokens = new WeakMap<object, string>()

/** Records with which access token the request was sent that an error comes from. */
export function recordToken(error: unknown, token: string): void {
  if (typeof error === 'object' && error !== null) tokens.set(error, token)
}

/** Returns the access token of the request that an error comes from; undefined if it does not come from a request. */
export function requestTokenOf(error: object): string | undefined {
  return tokens.get(error)
}
