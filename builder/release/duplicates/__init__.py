"""Functions that stand twice: found by their trees and by what they answer, and dropped."""
