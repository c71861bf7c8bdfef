export default {
  paths() {
    return [
      { params: { name: 'green-tea' }, content: 'Let the water cool for three minutes.' },
      { params: { name: 'black-tea' }, content: 'Use water that has just boiled.' }
    ]
  }
}
