setTimeout(() => console.log('Rinse now'), 3_600_000)
