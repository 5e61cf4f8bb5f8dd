import { useState } from 'react'

/** The rows of a list that are selected, by their ids. */
export interface Selection {
  ids: ReadonlySet<string>
  toggle(id: string): void
  replace(ids: Iterable<string>): void
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set())
  return {
    ids,
    toggle: (id) => {
      const changed = new Set(ids)
      if (!changed.delete(id)) changed.add(id)
      setIds(changed)
    },
    replace: (replacement) => setIds(new Set(replacement)),
  }
}
