import { RequestError } from './errors.ts'

/** A value, or the error of the request that it belongs to. For operations on sets, in which each request fails alone. */
export type Result<Value> = Value | RequestError

/** Returns what the work returns, or the `RequestError` that it throws. @throws all other errors */
export function resultOf<Value>(work: () => Value): Result<Value> {
  try {
    return work()
  } catch (err) {
    if (err instanceof RequestError) return err
    throw err
  }
}

/** Returns the value of a result. @throws RequestError if it is one */
export function valueOf<Value>(result: Result<Value>): Value {
  if (result instanceof RequestError) throw result
  return result
}

/** Passes all values to the work, whose results take their places. Errors keep their places. */
export async function mapValues<In, Out>(
  results: readonly Result<In>[],
  work: (values: In[]) => Promise<readonly Result<Out>[]>,
): Promise<Result<Out>[]> {
  const isValue = (result: Result<In>): result is In => !(result instanceof RequestError)
  const worked = (await work(results.filter(isValue))).values()
  return results.map((result) => (isValue(result) ? worked.next().value! : result))
}
