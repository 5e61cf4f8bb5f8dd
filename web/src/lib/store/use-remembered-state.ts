import { useCallback, useState } from 'react'

const remembered = new Map<string, boolean>()

/**
 * A state that outlives its component in this window. Rows of long lists leave the document while they are out of sight;
 * what the user opened in them is still open, and has the same height, when they return.
 */
export function useRememberedState(key: string, initial: boolean): [boolean, (value: boolean) => void] {
  const [state, setState] = useState({ key, value: remembered.get(key) ?? initial })
  const value = state.key === key ? state.value : (remembered.get(key) ?? initial)
  const set = useCallback(
    (next: boolean) => {
      remembered.set(key, next)
      setState({ key, value: next })
    },
    [key],
  )
  return [value, set]
}
