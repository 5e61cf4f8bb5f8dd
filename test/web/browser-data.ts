/** A script that resolves when the service worker can show the client without a network. */
export const untilShellIsSaved = `(async () => {
  while (!navigator.serviceWorker.controller || !(await caches.match('/home')))
    await new Promise((resolve) => setTimeout(resolve, 50))
})()`

/** A script that resolves when a timeline is stored. */
export const untilTimelineIsSaved = `(async () => {
  const database = await new Promise((resolve) => {
    const request = indexedDB.open('linnet')
    request.onsuccess = () => resolve(request.result)
  })
  const count = () =>
    new Promise((resolve) => {
      const request = database.transaction('timelines').objectStore('timelines').count()
      request.onsuccess = () => resolve(request.result)
    })
  while ((await count()) === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  database.close()
})()`
