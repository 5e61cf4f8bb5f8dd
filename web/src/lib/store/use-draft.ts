import { useEffect, useState } from 'react'

/** What was typed and not saved yet, by the names of the forms. */
const drafts = new Map<string, unknown>()

/** The value of a form. What was changed outlives the component until it is saved or discarded. */
export function useDraft<Value>(name: string, initial: Value) {
  const [value, setValue] = useState<Value>(() => (drafts.get(name) as Value | undefined) ?? initial)
  const [isChanged, setIsChanged] = useState(() => drafts.has(name))
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isChanged])
  return {
    value,
    isChanged,
    change: (next: Value) => {
      drafts.set(name, next)
      setValue(next)
      setIsChanged(true)
    },
    /** Goes back to `next`, for example after it was saved. */
    reset: (next: Value = initial) => {
      drafts.delete(name)
      setValue(next)
      setIsChanged(false)
    },
  }
}
