import { MastoHttpError } from 'masto'
import { readValue, writeValue } from '../database.ts'
import { accountKey } from '../offline-data.ts'
import { currentAccountId } from '../session.ts'

/**
 * Requests something that the client needs without a network, too, and stores the response for the current account.
 * Returns the last stored one if the server cannot be reached.
 * @throws the error of the request
 */
export async function fetchOrRecall<Value>(name: string, request: () => Promise<Value>): Promise<Value> {
  const key = accountKey(currentAccountId(), name)
  try {
    const value = await request()
    void writeValue('settings', key, value).catch(() => undefined)
    return value
  } catch (error) {
    const stored = error instanceof MastoHttpError ? undefined : await readValue<Value>('settings', key)
    if (stored === undefined) throw error
    return stored
  }
}
